import type { Config } from '../config/config';
import { createOpenApiDocument } from './openapi';
import { appRouter } from './router';
import { createToolList, type Tool } from './tool-list';

type DocumentSettings = Pick<
  Config,
  'APP_URL' | 'ADMIN_PREFIX' | 'MAX_BODY_BYTES' | 'IMPORT_MAX_BODY_BYTES' | 'IMPORT_MAX_ROWS'
>;

/** The API documents as JSON text, and the tools that the MCP server offers. */
interface ApiDocuments {
  /** Returns the OpenAPI document. Generates it on the first call, because the service does not need it to start. */
  readOpenApi(): string;
  mcpTools: string;
  tools: readonly Tool[];
}

/** Generates the tool list and, once it is needed, the OpenAPI document for a deployment with these settings. */
export function createApiDocuments(config: DocumentSettings, version: string): ApiDocuments {
  const createOpenApi = () =>
    createOpenApiDocument(appRouter, {
      version,
      appUrl: config.APP_URL,
      limits: {
        maxBodyBytes: config.MAX_BODY_BYTES,
        importMaxBodyBytes: config.IMPORT_MAX_BODY_BYTES,
        importMaxRows: config.IMPORT_MAX_ROWS,
      },
    });
  let openApi: string | undefined;
  const toolDocument = createToolList(appRouter, {
    version,
    appUrl: config.APP_URL,
    adminPrefix: config.ADMIN_PREFIX,
    importMaxRows: config.IMPORT_MAX_ROWS,
  });
  return {
    readOpenApi: () => (openApi ??= JSON.stringify(createOpenApi(), null, 2)),
    mcpTools: JSON.stringify(toolDocument, null, 2),
    tools: toolDocument.tools,
  };
}
