import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatResponse {
  status: number;
  body: string;
}

/** A local server that accepts messages as WeCom, DingTalk and Slack do, in their wire formats. */
export interface ChatStandIn {
  /** The base URLs of the vendors, for the service's configuration. */
  environment: { WECOM_BASE_URL: string; DINGTALK_BASE_URL: string; SLACK_BASE_URL: string };
  /** URLs of webhooks that accept messages; DingTalk's must also be signed, with `DINGTALK_SECRET`. */
  urls: { wecom: string; dingtalk: string; slack: string };
  /** The texts of the accepted messages, with their vendors. */
  acceptedMessages: { vendor: string; text: string }[];
  /** The number of requests, accepted or not. */
  requestCount: () => number;
  /** Responds to further requests with `response`, once it resolves, or accepts messages again if it is null. */
  respondWith(response: ChatResponse | Promise<ChatResponse> | null): void;
  close(): Promise<void>;
}

export const DINGTALK_SECRET = 'SEC0123456789abcdefdingtalk';
const WECOM_KEY = '693a91f6-7aaa-4bc4-97a0-0ec2sifa5aaa';
const DINGTALK_TOKEN = '0123456789abcdef0123456789abcdef';
const SLACK_PATH = '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Checks a signature as DingTalk does: https://open.dingtalk.com/document/robots/customize-robot-security-settings */
function isSigned(url: URL): boolean {
  const timestamp = url.searchParams.get('timestamp') ?? '';
  const expectedSignature = createHmac('sha256', DINGTALK_SECRET)
    .update(`${timestamp}\n${DINGTALK_SECRET}`)
    .digest('base64');
  return (
    Math.abs(Date.now() - Number(timestamp)) < 3_600_000 && url.searchParams.get('sign') === expectedSignature
  );
}

export async function startChatStandIn(): Promise<ChatStandIn> {
  const acceptedMessages: ChatStandIn['acceptedMessages'] = [];
  let requestCount = 0;
  let fixedResponse: ChatResponse | Promise<ChatResponse> | null = null;

  function handleRequest(url: URL, body: string): ChatResponse {
    const message = JSON.parse(body);
    const createJsonResponse = (errcode: number, errmsg: string) => ({
      status: 200,
      body: JSON.stringify({ errcode, errmsg }),
    });
    switch (url.pathname) {
      case '/wecom/cgi-bin/webhook/send':
        if (url.searchParams.get('key') !== WECOM_KEY)
          return createJsonResponse(93000, 'invalid webhook url');
        if (message.msgtype !== 'markdown' || Buffer.byteLength(message.markdown.content) > 4_096)
          return createJsonResponse(40058, 'content exceed max length');
        acceptedMessages.push({ vendor: 'wecom', text: message.markdown.content });
        return createJsonResponse(0, 'ok');
      case '/dingtalk/robot/send':
        if (url.searchParams.get('access_token') !== DINGTALK_TOKEN)
          return createJsonResponse(300001, 'token is not exist');
        if (!isSigned(url)) return createJsonResponse(310000, 'sign not match');
        if (message.msgtype !== 'markdown' || !message.markdown.title)
          return createJsonResponse(400402, 'invalid parameter');
        acceptedMessages.push({ vendor: 'dingtalk', text: message.markdown.text });
        return createJsonResponse(0, 'ok');
      case `/slack${SLACK_PATH}`:
        if (typeof message.text !== 'string') return { status: 400, body: 'invalid_payload' };
        acceptedMessages.push({ vendor: 'slack', text: message.text });
        return { status: 200, body: 'ok' };
      default:
        return { status: 404, body: 'no_service' };
    }
  }

  const server = createServer(async (request, response) => {
    requestCount += 1;
    const body = await readBody(request);
    const sentResponse =
      (await fixedResponse) ?? handleRequest(new URL(request.url!, 'http://stand-in'), body);
    response.writeHead(sentResponse.status).end(sentResponse.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [wecom, dingtalk, slack] = [`${origin}/wecom`, `${origin}/dingtalk`, `${origin}/slack`];
  return {
    environment: { WECOM_BASE_URL: wecom, DINGTALK_BASE_URL: dingtalk, SLACK_BASE_URL: slack },
    urls: {
      wecom: `${wecom}/cgi-bin/webhook/send?key=${WECOM_KEY}`,
      dingtalk: `${dingtalk}/robot/send?access_token=${DINGTALK_TOKEN}`,
      slack: slack + SLACK_PATH,
    },
    acceptedMessages,
    requestCount: () => requestCount,
    respondWith(response) {
      fixedResponse = response;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
