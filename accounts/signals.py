"""What other apps may listen to."""

from django.dispatch import Signal

# Sent inside the transaction, with guest= and member=: what is the guest's becomes the member's.
# The guest's account is deleted right after.
guest_claimed = Signal()

# Sent inside the transaction, with user=: what is the user's alone goes, what others see loses the name.
# The account is deleted right after.
account_closing = Signal()

# Sent with user=: the staff has given the account a new password, or keeps it out.
account_changed = Signal()
