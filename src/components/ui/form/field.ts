/** The field for one member of the input. */
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
  /** Shown only if the other values require it. */
  when?: (values: Record<string, unknown>) => boolean;
  placeholder?: string;
  autoComplete?: string;
  required?: boolean;
  /** Shown in a monospaced font: codes, ids. */
  mono?: boolean;
  /** The text of a value, for fields of a form that are not of these kinds. */
  valueText?: (value: unknown) => string;
  /** The text of what a record stores, where that is not one of the field's own values. */
  storedText?: (record: Record<string, unknown>) => string;
}
