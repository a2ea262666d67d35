import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect } from 'react';
import type { z } from 'zod';
import { reasonOf } from '../../../server/core/errors/validation';
import { tryInput } from '../../../server/messages/prompts/schema';
import { useBackOffice } from '../../shell/back-office';
import { useProblemText } from '../../ui/feedback/problem-text';
import { changedValues, openFormDraft } from '../../ui/form/form-draft';

/** The conversation on which both prompts are tried. */
export interface Conversation {
  order_number: string;
  buyer_name: string;
  messages: { sender: 'buyer' | 'shop'; content: string }[];
}

export type ConversationForm = UseFormReturnType<Conversation>;
type TryInput = z.output<typeof tryInput>;

const isBlank = (text: string) => text.trim() === '';

/** Converts the conversation to a request without the empty fields and messages. */
export function createReplyRequest(
  shop: string,
  { order_number, buyer_name, messages: allMessages }: Conversation,
) {
  const messages = allMessages.filter(({ content }) => !isBlank(content));
  return {
    shop_name: shop,
    ...(isBlank(order_number) ? {} : { order_number: order_number.trim() }),
    ...(isBlank(buyer_name) ? {} : { buyer_name: buyer_name.trim() }),
    ...(messages.length === 0 ? {} : { messages }),
  };
}

/**
 * The form of a conversation. `validate` returns the procedure's input, or null if a field has an error. What the user types
 * stays in this tab until they start over or sign out.
 * @param draftName identifies the stored input: the shop, and the reply that the conversation is from
 */
export function useConversationForm(initialConversation: Conversation, draftName: string) {
  const problemText = useProblemText();
  const { user } = useBackOffice();
  const draft = openFormDraft(`${user.email}.playground ${draftName}`);
  const editedValues = (values: Conversation) => changedValues({ ...initialConversation }, { ...values }, []);
  const form = useForm<Conversation>({
    mode: 'controlled',
    initialValues: initialConversation,
    onValuesChange: (values) => draft.write(editedValues(values)),
  });
  // Restores the input after the first render, which must match the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only once, when the form appears
  useEffect(() => {
    const { typed: typedValues } = draft.read({ ...initialConversation }, []);
    if (Object.keys(typedValues).length > 0) form.setValues(typedValues as Partial<Conversation>);
  }, []);
  const isEdited = Object.keys(editedValues(form.getValues())).length > 0;
  const startOver = () => {
    form.setValues(initialConversation);
    form.clearErrors();
  };
  const validate = (shop: string): TryInput | null => {
    const values = form.getValues();
    const result = tryInput.safeParse(createReplyRequest(shop, values));
    // The request leaves out blank messages, so its positions are not those of the form.
    const positions = [...values.messages.keys()].filter(
      (index) => !isBlank(values.messages[index]!.content),
    );
    const fieldOf = ([name, index, ...rest]: PropertyKey[]) =>
      name === 'messages' && typeof index === 'number'
        ? [name, positions[index], ...rest]
        : [name, index, ...rest];
    form.setErrors(
      Object.fromEntries(
        (result.error?.issues ?? []).map((issue) => [
          fieldOf(issue.path)
            .filter((part) => part !== undefined)
            .join('.'),
          problemText(reasonOf(issue)),
        ]),
      ),
    );
    return result.data ?? null;
  };
  return { form, validate, isEdited, startOver };
}
