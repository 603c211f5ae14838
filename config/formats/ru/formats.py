"""How dates and times are written in Russian; numbers are as Django has them. E is a month in the genitive."""

DATE_FORMAT = "j E Y"
DATETIME_FORMAT = "j E Y, H:i"
TIME_FORMAT = "H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "d.m"
