"""What other apps may listen to."""

from django.dispatch import Signal

# Sent inside the transaction, with guest= and member=: what is the guest's becomes the member's.
# The guest's account is deleted right after.
guest_claimed = Signal()
