import { useLocale } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a function that formats a number of bytes as text such as `64 MiB`. */
export function useSizeText(): (bytes: number) => string {
  const tag = LANGUAGE_TAGS[useLocale()];
  return (bytes) => {
    const unitIndex = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
    const amount = bytes / 1024 ** unitIndex;
    const options = { maximumFractionDigits: amount < 10 ? 1 : 0 };
    return `${new Intl.NumberFormat(tag, options).format(amount)} ${UNITS[unitIndex]}`;
  };
}
