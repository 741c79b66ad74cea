import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconFileDownload, IconKey } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

/** Recovery codes, the only time that they can be seen. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const top = useRef<HTMLDivElement>(null);
  // The form that had the keyboard is gone.
  useEffect(() => top.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = t`chasqui-codigos-de-recuperacion.txt`;
    link.click();
    // The browser has taken it over by the next task.
    setTimeout(() => URL.revokeObjectURL(link.href));
  };
  return (
    <Stack ref={top} tabIndex={-1} style={{ outline: 'none' }} data-testid="recovery-codes">
      <Alert icon={<IconKey aria-hidden />} title={t`Guarda tus códigos de recuperación`} role="status">
        <Trans>
          Con cada uno entras una vez si pierdes el teléfono. No los volveremos a mostrar: guárdalos fuera de este
          equipo.
        </Trans>
      </Alert>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code block fz={{ base: 'xs', xs: 'md' }} ff="monospace" style={{ whiteSpace: 'normal' }}>
              {code}
            </Code>
          </li>
        ))}
      </Stack>
      <Group grow>
        <Button
          variant="default"
          leftSection={<IconFileDownload size={20} aria-hidden />}
          onClick={download}
          data-testid="recovery-download"
        >
          <Trans>Descargar</Trans>
        </Button>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
              onClick={copy}
            >
              {copied ? t`Copiado` : t`Copiar`}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Button onClick={onKept} data-testid="recovery-kept">
        <Trans>Ya los guardé</Trans>
      </Button>
    </Stack>
  );
}
