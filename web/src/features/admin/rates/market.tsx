import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Popover, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconTrendingDown } from '@tabler/icons-react';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { formatLaPazMoment, zoneName } from '../../../lib/format/dates.ts';
import { percentText } from '../../../lib/format/numbers.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { sourceName } from '../../shared/source-names.ts';
import { bolivianosText, currentMarginText, lossText } from './change-messages.ts';

type Shown = RateManagementView['currencies'][SendCurrency];

/** What a rate is judged by: the market's reference, our margin under it, the best competitor and what we would propose. */
export function Market({
  currency,
  shown: { inForce, reference, bestCompetitor, proposal },
  marginPercent,
  take,
}: {
  currency: SendCurrency;
  shown: Shown;
  marginPercent: string;
  /** Puts the proposal into the field; null while there is no field. */
  take: ((rate: string) => void) | null;
}) {
  const margin = inForce && reference && currentMarginText(inForce.rate, reference.rate);
  return (
    <DataList values="end">
      <DataItem label={t`Referencia`}>
        {reference ? (
          <>
            {bolivianosText(reference.rate)}
            <Sources currency={currency} sources={reference.sources} />
          </>
        ) : (
          t`Sin datos recientes`
        )}
      </DataItem>
      {margin && (
        <DataItem label={t`Nuestro margen`}>
          {lossText(inForce.rate, reference.rate) ? (
            <Text span c="var(--cq-bad)" fw={700}>
              <Trans>{margin}, pérdida</Trans>
            </Text>
          ) : (
            margin
          )}
        </DataItem>
      )}
      <DataItem label={t`Mejor competidor`}>
        {bestCompetitor ? (
          <>
            {bolivianosText(bestCompetitor.rate, 2)}
            <Text span fz="xs" c="dimmed">
              {bestCompetitor.name}
            </Text>
          </>
        ) : (
          t`Sin datos en vivo`
        )}
      </DataItem>
      <DataItem label={t`Propuesta`}>
        {proposal ? (
          <>
            {bolivianosText(proposal)}
            {take && (
              <Button
                size="compact-sm"
                variant="light"
                rightSection={<IconArrowRight size={16} aria-hidden />}
                onClick={() => take(proposal)}
                aria-label={proposalLabel(currency, proposal, marginPercent)}
                data-testid={`admin-rate-proposal-${currency}`}
              >
                <Trans>Usar</Trans>
              </Button>
            )}
          </>
        ) : (
          t`Sin referencia`
        )}
      </DataItem>
    </DataList>
  );
}

/** Says that a rate pays more than the market, and by how much; nothing while it earns. */
export function LossBadge({ inForce, reference }: Pick<Shown, 'inForce' | 'reference'>) {
  const loss = lossText(inForce?.rate, reference?.rate);
  return (
    loss && (
      <ToneBadge tone="bad" Icon={IconTrendingDown}>
        <Trans>El cambio pierde {loss}</Trans>
      </ToneBadge>
    )
  );
}

function proposalLabel(currency: SendCurrency, proposal: string, marginPercent: string): string {
  const rate = bolivianosText(proposal);
  const margin = percentText(marginPercent);
  return t`Usar la propuesta de ${currency}, ${rate}: referencia menos ${margin}`;
}

type Source = NonNullable<Shown['reference']>['sources'][number];

function Sources({ currency, sources }: { currency: SendCurrency; sources: readonly Source[] }) {
  const count = countText(sources);
  const zone = zoneName();
  return (
    <Popover withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          underline="always"
          aria-label={t`${count} de la referencia de ${currency}`}
          data-testid={`admin-rate-sources-${currency}`}
        >
          {count}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 32px)" aria-label={t`Fuentes de la referencia de ${currency}`}>
        <Stack gap={6}>
          <Text fz="sm" c="dimmed">
            <Trans>Mediana de estas fuentes ({zone})</Trans>
          </Text>
          <DataList values="end">
            {sources.map(({ name, rate, observedAt }) => (
              <DataItem key={name} label={sourceName(name)}>
                {bolivianosText(rate)}
                <Text span fz="sm" c="dimmed">
                  {formatLaPazMoment(observedAt)}
                </Text>
              </DataItem>
            ))}
          </DataList>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const countText = ({ length }: readonly Source[]) => plural(length, { one: '# fuente', other: '# fuentes' });
