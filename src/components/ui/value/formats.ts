/** How many formats a cache holds. The pages need far fewer, but imported files may contain any currency. */
const MAX_FORMATS = 500;

/**
 * Returns a function like `create` that caches the formats, because creating one takes longer than rendering a row of a list. A
 * full cache is emptied.
 */
function cacheFormats<Options, Format>(create: (tag: string, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (tag: string, options: Options): Format => {
    const key = tag + JSON.stringify(options);
    const cachedFormat = formats.get(key);
    if (cachedFormat) return cachedFormat;
    if (formats.size >= MAX_FORMATS) formats.clear();
    const format = create(tag, options);
    formats.set(key, format);
    return format;
  };
}

/** Returns a cached `Intl.DateTimeFormat` for a language tag and options. */
export const dateFormat = cacheFormats(
  (tag: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
);

/** Returns a cached `Intl.NumberFormat` for a language tag and options. */
export const numberFormat = cacheFormats(
  (tag: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
);
