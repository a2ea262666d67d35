/** Far more than the pages need; currencies come from files, which may name any. */
const MAX_FORMATS = 500;

/** Keeps what `make` returns: making one of the browser's formats takes longer than drawing a row of a list with it. */
function kept<Options, Format>(make: (tag: string, options: Options) => Format) {
  const known = new Map<string, Format>();
  return (tag: string, options: Options): Format => {
    const name = tag + JSON.stringify(options);
    const found = known.get(name);
    if (found) return found;
    if (known.size >= MAX_FORMATS) known.clear();
    const format = make(tag, options);
    known.set(name, format);
    return format;
  };
}

/** The browser's format of dates, by a language's tag and the options of `Intl.DateTimeFormat`. */
export const dateFormat = kept(
  (tag: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
);

/** The browser's format of numbers, by a language's tag and the options of `Intl.NumberFormat`. */
export const numberFormat = kept(
  (tag: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
);
