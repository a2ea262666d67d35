import { type UseFormReturnType, useForm } from '@mantine/form';
import type { z } from 'zod';
import { reasonOf } from '../../server/core/validation';
import { tryInput } from '../../server/messages/prompts/schema';
import { useProblemText } from '../ui/feedback/problem-text';

/** The conversation that both prompts answer. */
export interface Conversation {
  order_number: string;
  buyer_name: string;
  messages: { sender: 'buyer' | 'shop'; content: string }[];
}

export type ConversationForm = UseFormReturnType<Conversation>;
type TryInput = z.output<typeof tryInput>;

/** The conversation as it is sent, without empty members. */
export function replyRequest(shop: string, { order_number, buyer_name, messages }: Conversation) {
  return {
    shop_name: shop,
    ...(order_number.trim() === '' ? {} : { order_number: order_number.trim() }),
    ...(buyer_name.trim() === '' ? {} : { buyer_name: buyer_name.trim() }),
    ...(messages.length === 0 ? {} : { messages }),
  };
}

/** The form of a conversation, and its check, which returns null if a field has an error. */
export function useConversationForm(begin: Conversation) {
  const problemText = useProblemText();
  const form = useForm<Conversation>({ mode: 'controlled', initialValues: begin });
  const check = (shop: string): TryInput | null => {
    const checked = tryInput.safeParse(replyRequest(shop, form.getValues()));
    form.setErrors(
      Object.fromEntries(
        (checked.error?.issues ?? []).map((issue) => [issue.path.join('.'), problemText(reasonOf(issue))]),
      ),
    );
    return checked.data ?? null;
  };
  return { form, check };
}
