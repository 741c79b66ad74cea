import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadOwnData, type OwnDataFile } from '../../data/account.ts';
import { errorMessage } from '../../lib/http.ts';
import { language } from '../../lib/language.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';

/** Everything we keep about the person, as files. */
export default function OwnData() {
  const [last, setLast] = useState<OwnDataFile | null>(null);
  const download = useSingleMutation({
    mutationFn: (file: OwnDataFile) => downloadOwnData(file, language()),
    onMutate: setLast,
  });
  const button = (file: OwnDataFile, label: string) => (
    <Button
      variant="default"
      leftSection={<IconFileDownload size={20} aria-hidden />}
      loading={download.isPending && last === file}
      disabled={download.isPending}
      onClick={() => download.mutate(file)}
      data-testid={`download-${file}`}
    >
      {label}
    </Button>
  );
  return (
    <Stack gap="md">
      <Text fz="sm" c="dimmed">
        <Trans>
          Tus datos, destinatarios, envíos con su historia, problemas reportados, correos, sesiones y lo que aceptaste,
          en un archivo que también leen otros programas.
        </Trans>
      </Text>
      {button('exportData', t`Descargar todo (JSON)`)}
      {button('exportTransfers', t`Solo mis envíos pagados (CSV)`)}
      <div role="status">
        {download.isSuccess && (
          <Text fz="sm" c="var(--cq-good)">
            <Trans>Descargado. Guárdalo en un lugar seguro.</Trans>
          </Text>
        )}
      </div>
      {download.error && (
        <Alert color="red" role="alert">
          {errorMessage(download.error)}
        </Alert>
      )}
    </Stack>
  );
}
