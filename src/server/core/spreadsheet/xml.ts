import { SaxesParser } from 'saxes';

/** The maximum nesting depth. No part of a workbook is nested that deeply. */
const MAX_DEPTH = 64;

/** Callbacks for a document as it is read. Names come without their namespace prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Thrown for text that is not XML, or XML that no workbook contains: a document type, which may define entities, or nesting
 * deeper than 64 levels.
 */
class XmlError extends Error {
  override readonly name = 'XmlError';
}

function localName(name: string): string {
  const colonIndex = name.indexOf(':');
  return colonIndex === -1 ? name : name.slice(colonIndex + 1);
}

/**
 * Reads an XML document in chunks, in UTF-8, or in UTF-16 with a byte order mark.
 * Takes linear time, and never holds more than one tag or text node in memory.
 *
 * @throws XmlError if it is not well-formed; whatever `chunks` or a handler throws
 */
export async function readXml(chunks: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  parser.on('error', (error) => {
    throw new XmlError(error.message);
  });
  parser.on('doctype', () => {
    throw new XmlError('A document type is not allowed.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw new XmlError(`It is nested deeper than ${MAX_DEPTH}.`);
    handlers.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handlers.close(localName(name));
  });
  parser.on('text', (text) => handlers.text(text));
  parser.on('cdata', (text) => handlers.text(text));
  let decoder: TextDecoder | undefined;
  const decode = (chunk: Buffer, hasMore: boolean): string => {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    try {
      return decoder.decode(chunk, { stream: hasMore });
    } catch {
      throw new XmlError('It is not in the encoding that its first bytes announce.');
    }
  };
  for await (const chunk of chunks) parser.write(decode(chunk, true));
  parser.write(decode(Buffer.alloc(0), false));
  parser.close();
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
