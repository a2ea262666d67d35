import { useTranslations } from 'next-intl';

interface Position {
  line: number | null;
  address?: string | null;
}

/** Returns a function that names a position in the file: the cell's address if it has one, otherwise the line or row. */
export function usePositionName(unit: 'line' | 'row'): (position: Position) => string {
  const t = useTranslations('import');
  return ({ line, address }) => {
    if (address) return address;
    if (line === null) return '–';
    return unit === 'line' ? t('place.line', { line }) : t('place.row', { row: line });
  };
}
