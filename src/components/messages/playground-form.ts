import { type UseFormReturnType, useForm } from '@mantine/form';
import type { z } from 'zod';
import { reasonOf } from '../../server/core/validation';
import { tryInput } from '../../server/messages/prompts/schema';
import { useProblemText } from '../ui/feedback/problem-text';

/** What the playground has both prompts answer. */
export interface Conversation {
  order_number: string;
  buyer_name: string;
  messages: { sender: 'buyer' | 'shop'; content: string }[];
}

export type ConversationForm = UseFormReturnType<Conversation>;
type TryInput = z.output<typeof tryInput>;

/** The conversation as it is sent: what is empty is left out. */
export function askedOf(shop: string, { order_number, buyer_name, messages }: Conversation) {
  return {
    shop_name: shop,
    ...(order_number.trim() === '' ? {} : { order_number: order_number.trim() }),
    ...(buyer_name.trim() === '' ? {} : { buyer_name: buyer_name.trim() }),
    ...(messages.length === 0 ? {} : { messages }),
  };
}

/** A form of a conversation, and its check: null where a field says what is wrong. */
export function useConversationForm(begin: Conversation) {
  const problemText = useProblemText();
  const form = useForm<Conversation>({ mode: 'controlled', initialValues: begin });
  const check = (shop: string): TryInput | null => {
    const checked = tryInput.safeParse(askedOf(shop, form.getValues()));
    form.setErrors(
      Object.fromEntries(
        (checked.error?.issues ?? []).map((issue) => [issue.path.join('.'), problemText(reasonOf(issue))]),
      ),
    );
    return checked.data ?? null;
  };
  return { form, check };
}
