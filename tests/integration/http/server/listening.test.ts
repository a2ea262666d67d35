import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { listenError, reservePort } from '../../../../src/server/http/server/listening';

it('a reserved port cannot be taken by another server, closes early connections, and serves requests once a server listens on it', async () => {
  const { port, server: reservedServer } = await reservePort('127.0.0.1');
  const otherServer = createServer().listen(port, '127.0.0.1');
  const [error] = await once(otherServer, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });

  const earlyConnection = connect(port, '127.0.0.1').resume();
  await once(earlyConnection, 'close');

  const laterServer = createServer((_req, res) => res.end('at work')).listen(reservedServer);
  await once(laterServer, 'listening');
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } });
  expect(await response.text()).toBe('at work');
  laterServer.close();
  await once(laterServer, 'close');
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
});

it('an address that this machine does not have is refused, and the error names the setting HOST', async () => {
  await expect(reservePort('192.0.2.1')).rejects.toThrow(
    'HOST: 192.0.2.1 is not an address of this machine.',
  );
});

it('a port that only root may use is refused, and the error names the setting PORT and the ports that others may use', () => {
  const accessError = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(listenError(accessError, { host: '0.0.0.0', port: 80 }).message).toBe(
    'PORT: 0.0.0.0:80 requires root privileges; choose port 1024 or higher.',
  );
});
