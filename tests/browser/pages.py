"""The addresses of every kind of page but tables and rooms, for tests that look at all of them."""

PAGES = (
    "/", "/daily/", "/deals/", "/race/", "/settings/", "/rules/frog/", "/rules/flower-garden/", "/rules/american-toad/",
    "/accounts/login/", "/accounts/signup/", "/offline/", "/nowhere/",
)  # fmt: skip
OWN_PAGES = ("/mine/", "/mine/races/", "/mine/statistics/", "/data/")
