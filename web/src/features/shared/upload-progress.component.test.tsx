import { Button } from '@mantine/core';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import { callsOf } from '../../lib/http.ts';
import { uploading } from '../../lib/uploads.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { UploadProblem, UploadProgress, useUpload } from './upload-progress.tsx';

/** The browser's request, driven by the test: on this machine an upload takes no time. */
class SlowRequest {
  static last: SlowRequest;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 201;
  responseText = '{"files":[]}';
  statusText = 'Created';
  readonly headers: Record<string, string> = {};
  body = '';
  constructor() {
    SlowRequest.last = this;
  }
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader = () => null;
  send(body: string) {
    this.body = body;
  }
  abort() {
    this.onabort?.();
    this.onloadend?.();
  }
}

const own = globalThis.XMLHttpRequest;
beforeEach(() => {
  globalThis.XMLHttpRequest = SlowRequest as unknown as typeof XMLHttpRequest;
});
afterEach(() => {
  globalThis.XMLHttpRequest = own;
});

function Uploader() {
  const upload = useUpload();
  const [error, setError] = useState<Error | null>(null);
  const send = async () => {
    setError(null);
    const body = { name: 'foto.png', type: 'image/png', data: 'AAAA' } as const;
    const attach = callsOf(senderRoutes, uploading(upload.begin()));
    await attach('attachToComplaint', { params: { id: 'x' }, body }).catch(setError);
    upload.end();
  };
  return (
    <>
      <Button onClick={() => void send()}>Subir</Button>
      <UploadProgress upload={upload} name="foto.png" />
      <UploadProblem error={error} name="foto.png" />
    </>
  );
}

test('an upload shows how far it is, is stopped, breaks off and arrives, and says each time what became of the file', async () => {
  const { screen } = await renderApp([{ path: '/', element: <Uploader /> }]);
  const start = () => screen.getByText('Subir').click();
  const bar = screen.getByRole('progressbar');
  const problem = screen.getByTestId('upload-problem');

  await start();
  expect(JSON.parse(SlowRequest.last.body)).toMatchObject({ name: 'foto.png' });
  expect(SlowRequest.last.headers['content-type']).toBe('application/json');
  SlowRequest.last.upload.onprogress?.({ loaded: 450, total: 1000 });
  await expect.element(bar).toHaveAttribute('aria-valuenow', '45');
  await expect.element(screen.getByTestId('upload-progress')).toMatchTextContent(/Subiendo foto\.png\s*45\s%/);
  await expectAccessible();
  await screen.getByTestId('upload-cancel').click();
  await expect.element(problem).toMatchTextContent(/Detuviste la subida\. El archivo sigue elegido/);

  await start();
  SlowRequest.last.onerror?.();
  await expect.element(problem).toMatchTextContent(/No se subió foto\.png\s*Se cortó la conexión antes de terminar/);

  await start();
  SlowRequest.last.upload.onprogress?.({ loaded: 1000, total: 1000 });
  await expect.element(screen.getByTestId('upload-progress')).toMatchTextContent(/Ya llegó/);
  SlowRequest.last.onload?.();
  await expect.element(screen.getByTestId('upload-progress')).not.toBeInTheDocument();
  await expect.element(problem).not.toBeInTheDocument();
});
