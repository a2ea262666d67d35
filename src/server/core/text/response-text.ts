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
