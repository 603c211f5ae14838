"""A text of the rules, and beside it its twin in the language that the page is to be read side by side with.

What the texts say is in the templates and in locale/; how pairs are shown is said by rules.css.
"""

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.template.context import Context
from django.utils import translation
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

register = template.Library()


class Twin(template.Node):
    """A text in the reader's language; and again in `beside`, a language of the context, where it is set."""

    def __init__(self, text: FilterExpression) -> None:
        self.text = text

    def render(self, context: Context) -> SafeString:
        """Make a pair, of which the second may be missing."""
        own = self._text(context)
        beside = context.get("beside")
        if not beside:
            return format_html('<span class="pair"><span>{}</span></span>', own)
        with translation.override(beside):
            pair = '<span class="pair"><span>{}</span><span class="twin" lang="{}">{}</span></span>'
            return format_html(pair, own, beside, self._text(context))

    def _text(self, context: Context) -> SafeString:
        """In the language of the moment: what comes from a template is lazy, and would follow a change."""
        return conditional_escape(self.text.resolve(context))


@register.tag
def twin(parser: Parser, token: Token) -> Twin:
    """`{% twin _("…") %}` is a part of a line, so that paragraphs, items and headings can have it."""
    return Twin(parser.compile_filter(token.contents.split(maxsplit=1)[1]))
