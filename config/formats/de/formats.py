"""How dates and times are written in German; numbers are as Django has them."""

DATE_FORMAT = "j. F Y"
DATETIME_FORMAT = "j. N Y, H:i"
TIME_FORMAT = "H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "j. N"
