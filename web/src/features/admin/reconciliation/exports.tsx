import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import { type ExportList, exportLists } from '#core/contracts/http/reconciliation';
import { dayMs, laPazDay } from '#core/time/time';
import { zoneName } from '../../../lib/format/dates.ts';
import { addressOf } from '../../../lib/http.ts';

const names: Readonly<Record<ExportList, MessageDescriptor>> = {
  transfers: msg`Envíos`,
  postings: msg`Asientos`,
  profit: msg`Ganancias`,
  exceptions: msg`Diferencias`,
};

const monthMs = 30 * dayMs;

/** Files for accounting: lists of some days as CSV. */
export function Exports() {
  const [from, setFrom] = useState(() => laPazDay(new Date(Date.now() - monthMs)));
  const [to, setTo] = useState(() => laPazDay(new Date()));
  const isRange = from !== '' && to !== '' && from <= to;
  const zone = zoneName();
  return (
    <Stack gap="md">
      <Title order={2} fz="h3">
        <Trans>Exportar (CSV)</Trans>
      </Title>
      <Card padding="md">
        <Stack gap="md">
          <Group gap="sm" align="flex-start">
            <TextInput
              type="date"
              label={t`Desde`}
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
              data-testid="export-from"
            />
            <TextInput
              type="date"
              label={t`Hasta`}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
              error={!isRange && t`Elige un rango de días`}
              data-testid="export-to"
            />
          </Group>
          <Group gap="sm">
            {exportLists.map((list) => (
              <Button
                key={list}
                component="a"
                variant="default"
                leftSection={<IconDownload size={18} aria-hidden />}
                {...(isRange
                  ? { href: addressOf(adminRoutes.exportCsv.path, { list, from, to }, undefined), download: true }
                  : { 'data-disabled': true, 'aria-disabled': true })}
                data-testid={`export-${list}`}
              >
                {i18n._(names[list])}
              </Button>
            ))}
          </Group>
          <Text fz="sm" c="dimmed">
            <Trans>Días y horas en {zone}, como dice el encabezado.</Trans>
          </Text>
        </Stack>
      </Card>
    </Stack>
  );
}
