import { inSpan } from '../../core/tracing';
import type { TextProvider } from '../../messages/text-provider';
import type { Sender } from '../../notifications/sending/sender';
import type { CarrierGate } from '../../tracking/carriers/carrier-gate';

/** Wraps a carrier so that each query is a span. If no carrier is configured, returns the gate as it is. */
export function traceCarrier(gate: CarrierGate): CarrierGate {
  const { name } = gate;
  if (name === null) return gate;
  return {
    ...gate,
    query(numbers) {
      const attributes = { 'brickdesk.carrier': name, 'brickdesk.numbers': numbers.length };
      return inSpan('carrier query', { kind: 'client', attributes }, () => gate.query(numbers));
    },
  };
}

/** Wraps a provider so that each text is a span. */
export function traceTextProvider(provider: TextProvider): TextProvider {
  const attributes = { 'gen_ai.request.model': provider.model };
  return {
    ...provider,
    write: (turns) =>
      inSpan('text provider write', { kind: 'client', attributes }, async (span) => {
        const generatedText = await provider.write(turns);
        span.set({
          'gen_ai.usage.input_tokens': generatedText.usage?.inputTokens ?? 0,
          'gen_ai.usage.output_tokens': generatedText.usage?.outputTokens ?? 0,
        });
        return generatedText;
      }),
  };
}

/** Wraps a sender so that each message is a span. */
export function traceSender(sender: Sender): Sender {
  return {
    ...sender,
    send: (target, id, message) =>
      inSpan(`send ${target.vendor}`, { kind: 'client' }, () => sender.send(target, id, message)),
  };
}
