import type { ReactNode } from 'react';
import styles from './figure-table.module.css';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The first column names the row; the others are figures. */
  columns: readonly { label: string; render: (row: Row) => ReactNode }[];
}

/** A short table of figures; on phones, each row is a card with the labels of its figures. */
export function FigureTable<Row>({
  label,
  rows,
  rowKey,
  columns: [firstColumn, ...otherColumns],
}: Props<Row>) {
  return (
    <div className={styles.frame}>
      <table className={`figures ${styles.table}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{firstColumn!.label}</th>
            {otherColumns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row">{firstColumn!.render(row)}</th>
              {otherColumns.map((column) => (
                <td key={column.label}>
                  <span className={styles.name} aria-hidden>
                    {column.label}
                  </span>
                  <span>{column.render(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
