import type { Config } from '../config';
import { createOpenApiDocument } from './openapi';
import { appRouter } from './router';
import { createToolList, type Tool } from './tool-list';

type DocumentSettings = Pick<
  Config,
  'APP_URL' | 'ADMIN_PREFIX' | 'MAX_BODY_BYTES' | 'IMPORT_MAX_BODY_BYTES' | 'IMPORT_MAX_ROWS'
>;

/** The API documents as JSON text, and the tools that the MCP server offers. */
interface ApiDocuments {
  openApi: string;
  mcpTools: string;
  tools: readonly Tool[];
}

/** Generates the OpenAPI document and the tool list for a deployment with these settings. */
export function createApiDocuments(config: DocumentSettings, version: string): ApiDocuments {
  const openApi = createOpenApiDocument(appRouter, {
    version,
    appUrl: config.APP_URL,
    limits: {
      maxBodyBytes: config.MAX_BODY_BYTES,
      importMaxBodyBytes: config.IMPORT_MAX_BODY_BYTES,
      importMaxRows: config.IMPORT_MAX_ROWS,
    },
  });
  const toolDocument = createToolList(appRouter, {
    version,
    appUrl: config.APP_URL,
    adminPrefix: config.ADMIN_PREFIX,
  });
  return {
    openApi: JSON.stringify(openApi, null, 2),
    mcpTools: JSON.stringify(toolDocument, null, 2),
    tools: toolDocument.tools,
  };
}
