/**
 * Returns the response with a body that fails once more than `maxBytes` have been read of it, so that another service cannot fill
 * our memory. The rest is not received.
 *
 * @param createError creates the error with which reading the body then fails
 */
export function limitBody(response: Response, maxBytes: number, createError: () => Error): Response {
  if (!response.body) return response;
  let byteCount = 0;
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      byteCount += chunk.byteLength;
      if (byteCount > maxBytes) throw createError();
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limiter), { status, statusText, headers });
}

/**
 * Returns the text of a response, and stops reading once it is longer than `maxLength`: another service may send without end. A text
 * that is longer than `maxLength` is cut off.
 */
export async function readResponseText(response: Response, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the rest of the body.
    if (text.length > maxLength) return text;
  }
  return text + decoder.decode();
}
