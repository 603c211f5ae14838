"""Takes pictures of the site as people see it: `bin/pictures`. Nothing imports it.

scenes   what is photographed: recorded games at three stages, a race, and the other pages
camera   the browser, and how a picture is taken
album    which pictures docs/pictures.md shows, and that page
"""
