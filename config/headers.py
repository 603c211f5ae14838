"""What every answer forbids browsers, beyond what Django and django-csp say."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)
HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",  # no other site may show what is here, as its own or to measure it
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}


class Headers(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
