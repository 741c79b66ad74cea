import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import { formats } from '#core/locale/format';
import { paperAddress, statementPeriodsQuery } from '../../data/papers.ts';
import { language } from '../../lib/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './transfers.module.css';

/** Opens the list of statements, below the transfers they are about. */
export function StatementsOffer() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        px="xs"
        mt="md"
        leftSection={<IconFileDownload size={18} aria-hidden />}
        onClick={() => setOpened(true)}
        data-testid="statements-open"
      >
        <Trans>Extractos por mes y por año</Trans>
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t`Extractos`}>
        {opened && <Statements />}
      </Dialog>
    </>
  );
}

function Statements() {
  // Asked anew each time: the last month grows.
  const query = useQuery({ ...statementPeriodsQuery, staleTime: 0 });
  const shown = language();
  return (
    <QueryView query={query} loading={<LoadingRows rows={3} height={40} />}>
      {({ periods }) =>
        periods.length === 0 ? (
          <Text>
            <Trans>Cuando pagues tu primer envío tendrás aquí sus extractos.</Trans>
          </Text>
        ) : (
          <Stack gap={0} component="ul" className={classes.statements} data-testid="statements">
            {periods.map(({ period, transfers }) => {
              const name = formats[shown].period(period);
              return (
                <Group key={period} component="li" justify="space-between" gap="xs" py="xs">
                  <div>
                    <Text fw={period.length === 4 ? 700 : 500}>
                      {period.length === 4 ? t`Año ${period}` : name.charAt(0).toUpperCase() + name.slice(1)}
                    </Text>
                    <Text fz="sm" c="dimmed">
                      {plural(transfers, { one: '# envío', other: '# envíos' })}
                    </Text>
                  </div>
                  <Group gap="md">
                    {(['statementPdf', 'statementCsv'] as const).map((file) => {
                      const kind = file === 'statementPdf' ? 'PDF' : 'CSV';
                      return (
                        <Anchor
                          key={file}
                          href={paperAddress(senderRoutes[file], { period }, shown)}
                          download
                          aria-label={t`Extracto de ${name}, ${kind}`}
                        >
                          {kind}
                        </Anchor>
                      );
                    })}
                  </Group>
                </Group>
              );
            })}
          </Stack>
        )
      }
    </QueryView>
  );
}
