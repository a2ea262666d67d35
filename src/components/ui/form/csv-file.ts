import { useTranslations } from 'next-intl';
import { UnreadableFileError } from '../../api/service-error';

/**
 * Reads a file's bytes as base64, as the procedures expect them.
 *
 * @throws UnreadableFileError
 */
export function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () =>
      reject(new UnreadableFileError('The file cannot be read', { cause: reader.error })),
    );
    reader.readAsDataURL(file);
  });
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
};

/** Returns a function that says how a file was decoded, such as `Read as GB18030`. */
export function useEncodingText(): (encoding: Encoding) => string {
  const t = useTranslations('csv');
  return (encoding) => t('readAs', { encoding: ENCODING_NAMES[encoding] });
}
