import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { percentText } from '../../lib/format/numbers.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import type { UploadControl } from '../../lib/uploads.ts';

/** An upload: how far it is, and its end before that. */
export interface Upload {
  /** The share that was sent, 0 to 1; null while none is under way. */
  readonly share: number | null;
  readonly cancel: () => void;
  /** Follows an upload from here on. */
  readonly begin: () => UploadControl;
  /** Follows it no more. */
  readonly end: () => void;
}

/** Follows one upload after the other. */
export function useUpload(): Upload {
  const [share, setShare] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  return {
    share,
    cancel: () => controller.current?.abort(),
    begin: () => {
      const current = new AbortController();
      controller.current = current;
      setShare(0);
      return { signal: current.signal, onProgress: setShare };
    },
    end: () => setShare(null),
  };
}

/** How much of a file was sent, while it is under way. */
export function UploadProgress({ upload: { share, cancel }, name }: { upload: Upload; name?: string | undefined }) {
  if (share === null) return null;
  const percent = Math.floor(share * 100);
  const shown = percentText(String(percent));
  return (
    <Stack gap={6} data-testid="upload-progress">
      <Group justify="space-between" wrap="nowrap">
        <Text fz="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {share === 1 ? t`Ya llegó. Lo estamos guardando…` : name ? t`Subiendo ${name}` : t`Subiendo`}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text fz="sm" className="cq-num" aria-hidden>
            {shown}
          </Text>
          {share < 1 && (
            <Button variant="subtle" size="compact-sm" onClick={cancel} data-testid="upload-cancel">
              <Trans>Cancelar</Trans>
            </Button>
          )}
        </Group>
      </Group>
      <Progress value={percent} color="var(--cq-good)" aria-label={t`Parte subida`} />
    </Stack>
  );
}

/** Why a file was not uploaded, and that it is still chosen. */
export function UploadProblem({ error, name }: { error: Error | null; name?: string | undefined }) {
  if (!error) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconCloudUpload aria-hidden />}
      {...(name && { title: t`No se subió ${name}` })}
      role="alert"
      data-testid="upload-problem"
    >
      {uploadProblemText(error)}
    </Alert>
  );
}

/** Whether an upload ended for want of a connection, or because its person ended it: nothing is wrong with what was sent. */
export const isInterrupted = (error: Error | null): boolean =>
  error?.name === 'AbortError' ||
  (error instanceof ApiFailure && (error.code === 'offline' || error.code === 'timeout'));

function uploadProblemText(error: Error): string {
  if (error.name === 'AbortError')
    return t`Detuviste la subida. El archivo sigue elegido: puedes subirlo cuando quieras.`;
  if (isInterrupted(error))
    return t`Se cortó la conexión antes de terminar. El archivo sigue elegido y nada quedó a medias: cuando tengas internet, súbelo otra vez.`;
  return errorMessage(error);
}
