import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconBroadcast, IconBuildingBank, IconClockHour4 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankBoardView } from '#core/contracts/http/rate-series';
import { bankBoardQuery } from '../../data/rates.ts';
import { formatLongCalendarDay, formatMoment } from '../../lib/format/dates.ts';
import { Money } from '../../ui/figures.tsx';
import { useIsPhone } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import classes from './rates.module.css';

/** Banks that are shown before somebody asks for all. */
const firstOnPhone = 2;
const firstOnWide = 6;

/** Which bank in Bolivia pays how much for a dollar, by the central bank's table. */
export function BankBoard() {
  return (
    <Card component="section" aria-labelledby="bank-board-title" data-testid="bank-board">
      <Stack gap="sm">
        <Title order={2} id="bank-board-title">
          <Trans>Qué banco paga mejor el dólar</Trans>
        </Title>
        <QueryView query={useQuery(bankBoardQuery)} loading={<LoadingRows rows={4} height={46} />}>
          {(view) => <Board view={view} />}
        </QueryView>
      </Stack>
    </Card>
  );
}

function Board({ view: { day, banks, collectedAt, freshness } }: { view: BankBoardView }) {
  const [all, setAll] = useState(false);
  const phone = useIsPhone();
  const shownFirst = phone ? firstOnPhone : firstOnWide;
  if (day === null || collectedAt === null)
    return (
      <EmptyState icon={<IconBuildingBank size={32} stroke={1.5} aria-hidden />}>
        <Trans>Todavía no leímos la tabla del Banco Central. La consultamos cada pocas horas.</Trans>
      </EmptyState>
    );
  const live = freshness === 'live';
  const Icon = live ? IconBroadcast : IconClockHour4;
  const [tableDay, readAt, count] = [formatLongCalendarDay(day), formatMoment(collectedAt), banks.length];
  return (
    <>
      <Text>
        <Trans>
          Lo que cada banco pagó en promedio por 1 dólar el <b>{tableDay}</b>.
        </Trans>
      </Text>
      <ol className={`cq-list ${classes.banks}`}>
        {(all ? banks : banks.slice(0, shownFirst)).map((bank) => (
          <Bank key={bank.bank} {...bank} />
        ))}
      </ol>
      {banks.length > shownFirst && (
        <div>
          <Button
            variant="default"
            size="sm"
            aria-expanded={all}
            onClick={() => setAll(!all)}
            data-testid="bank-board-all"
          >
            {all ? t`Ver solo los ${shownFirst} primeros` : t`Ver los ${count} bancos`}
          </Button>
        </div>
      )}
      {(all || !phone) && (
        <Text c="dimmed">
          <Trans>
            Si tu familia recibe dólares y los cambia, le conviene el primero de la lista; lo que envías con Chasqui ya
            llega en bolivianos.
          </Trans>
        </Text>
      )}
      <Text
        component="p"
        fz="sm"
        c="dimmed"
        className={classes.source}
        data-testid="bank-board-source"
        data-freshness={freshness}
      >
        <Icon size={18} stroke={1.8} color={live ? 'var(--cq-good)' : 'var(--cq-wait)'} aria-hidden />
        <span>
          {live
            ? t`Fuente: Banco Central de Bolivia. Leída el ${readAt}.`
            : t`Fuente: Banco Central de Bolivia. No pudimos leerla de nuevo desde el ${readAt}.`}
        </span>
      </Text>
    </>
  );
}

function Bank({ bank, rate, rank }: BankBoardView['banks'][number]) {
  const best = rank === 1;
  return (
    <li className={`${classes.bank} ${best ? 'cq-marked' : ''}`} data-testid="bank-row" data-rank={rank}>
      <Text component="span" c="dimmed" className="cq-num">
        {rank}.
      </Text>
      <span>
        <Text component="span" fw={600}>
          {bankName(bank)}
        </Text>{' '}
        {best && (
          <Badge radius="sm" tt="none" fw={600} ml={4}>
            <Trans>Paga más</Trans>
          </Badge>
        )}
      </span>
      <Money amount={rate} currency="BOB" fw={600} />
    </li>
  );
}

const small = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e', 'para']);
/** Written in capitals by the banks themselves too. */
const initials = new Set(['bisa', 'fie', 'bdp', 'bcp', 'bnb', 'pyme', 'sa']);

/** "BANCO NACIONAL DE BOLIVIA" as a person writes it: "Banco Nacional de Bolivia". */
export function bankName(asPublished: string): string {
  return asPublished
    .trim()
    .toLocaleLowerCase('es-BO')
    .split(/\s+/)
    .map((word, index) => {
      if (initials.has(word.replaceAll('.', ''))) return word.toLocaleUpperCase('es-BO');
      if (index > 0 && small.has(word)) return word;
      return word.charAt(0).toLocaleUpperCase('es-BO') + word.slice(1);
    })
    .join(' ');
}
