// What Django's JavaScriptCatalog (/jsi18n/) puts into the page, for tsc only.
declare function gettext(text: string): string;
declare function ngettext(singular: string, plural: string, count: number): string;
declare function pgettext(context: string, text: string): string;
declare function npgettext(context: string, singular: string, plural: string, count: number): string;
declare function interpolate(format: string, values: object, named?: boolean): string;
declare function get_format(name: string): string;
