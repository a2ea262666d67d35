import { Fragment, type ReactNode } from 'react';

/** A section of a guide, with a heading that can be linked to. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title}
        <a className="docs-anchor" href={`#${id}`} aria-label={`Link to "${title}"`}>
          #
        </a>
      </h2>
      {children}
    </section>
  );
}

/** A code block with its language above it. */
export function Code({ language, children }: { language: string; children: string }) {
  return (
    <figure className="docs-code">
      <figcaption>{language}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a code block that scrolls sideways must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code data-language={language}>{children}</code>
      </pre>
    </figure>
  );
}

interface TableProps {
  label: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table that scrolls sideways if it is wider than the page. */
export function Table({ label, head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="docs-table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Text in which backticks mark code. */
export function TextWithCode({ text }: { text: string }) {
  const parts = text.split('`').map((part, index) => ({ part, key: `${index} ${part}` }));
  return parts.map(({ part, key }, index) =>
    index % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>,
  );
}
