import { useEffect, useState } from 'react';
import { MAX_CSV_BYTES } from '../../../server/core/text/csv-limit';
import { useBackOffice } from '../../shell/back-office';
import { openFormDraft } from './form-draft';

/** Like `useState`, for a text that stays in this tab until it is cleared or the user signs out. Texts over the limit are not stored. */
export function useStoredText(draftKey: string): [text: string, setText: (text: string) => void] {
  const { user } = useBackOffice();
  const draft = openFormDraft(`${user.email}.${draftKey}`);
  const [text, setText] = useState('');
  // Not in the first render, which must match the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page appears
  useEffect(() => {
    const { typed } = draft.read({ text: '' }, []);
    if (typeof typed.text === 'string') setText(typed.text);
  }, []);
  return [
    text,
    (newText) => {
      setText(newText);
      draft.write(newText !== '' && newText.length <= MAX_CSV_BYTES ? { text: newText } : {});
    },
  ];
}
