/** The limit of the cache: far more than the pages need, but files may contain any currency. */
const MAX_FORMATS = 500;

/** Caches the formats that `create` returns, because creating one takes longer than rendering a row of a list. */
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

/** Returns a cached `Intl.DateTimeFormat` for a language tag and options. */
export const dateFormat = kept(
  (tag: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
);

/** Returns a cached `Intl.NumberFormat` for a language tag and options. */
export const numberFormat = kept(
  (tag: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
);
