/** A form field for one property of the input. */
export interface Field<Name extends string = string> {
  name: Name;
  label: string;
  description?: string;
  kind?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'day'
    | 'time'
    | 'lines'
    | 'switch'
    | 'select'
    | 'selectMany'
    | 'checkMany'
    | 'tags';
  options?: { value: string; label: string; description?: string }[];
  /** Returns whether the form, with its current values, shows the field; a field without this is always shown. */
  isShown?: (values: Record<string, unknown>) => boolean;
  placeholder?: string;
  autoComplete?: string;
  required?: boolean;
  /** Whether to use a monospaced font, for codes and ids. */
  mono?: boolean;
  /** Formats a value that none of the kinds can show, such as an object. */
  valueText?: (value: unknown) => string;
  /** Formats what the record stores, if the field offers other values: for example a date, where the field offers periods. */
  storedText?: (record: Record<string, unknown>) => string;
}
