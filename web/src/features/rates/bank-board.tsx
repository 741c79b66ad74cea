import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconBroadcast, IconBuildingBank, IconClockHour4 } from '@tabler/icons-react';
import { useState } from 'react';
import type { BankBoardView } from '#core/contracts/http/rate-series';
import { type QuoteQuestion, useBankBoard } from '../../data/rates.ts';
import { ageText, formatLongCalendarDay } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import { useIsPhone, useNow } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows, Updating } from '../../ui/states.tsx';
import classes from './rates.module.css';

/** Banks that are shown before somebody asks for all. */
const firstOnPhone = 2;
const firstOnWide = 6;

/** Which bank in Bolivia pays how much for a dollar, by the central bank's table, and would for what is being typed. */
export function BankBoard({ question }: { question: QuoteQuestion }) {
  const query = useBankBoard(question);
  return (
    <Card component="section" aria-labelledby="bank-board-title" data-testid="bank-board">
      <Stack gap="sm">
        <Title order={2} id="bank-board-title">
          <Trans>Qué banco paga mejor el dólar</Trans>
        </Title>
        <QueryView query={query} loading={<LoadingRows rows={4} height={78} />}>
          {(view) => (
            <Updating when={query.isPlaceholderData}>
              <div className={classes.board}>
                <Board view={view} />
              </div>
            </Updating>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}

function Board({ view }: { view: BankBoardView }) {
  const { day, banks, collectedAt, freshness, dollars, ours } = view;
  const [all, setAll] = useState(false);
  const now = useNow();
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
  const [tableDay, age, count] = [formatLongCalendarDay(day), ageText(collectedAt, now), banks.length];
  return (
    <>
      <Text aria-live="polite" data-testid="bank-board-amount">
        {dollars === null ? (
          <Trans>
            Lo que cada banco pagó en promedio por 1 dólar el <b>{tableDay}</b>. Hoy no sabemos cuántos dólares son{' '}
            <Money amount={view.amount} currency={view.currency} />.
          </Trans>
        ) : (
          <Trans>
            Lo que cada banco daría por <Worth view={view} dollars={dollars} />, a lo que pagó en promedio el{' '}
            <b>{tableDay}</b>.
          </Trans>
        )}{' '}
        {ours && (
          <Trans>
            Con Chasqui llegan <Money amount={ours} currency="BOB" fw={600} />, con la comisión ya descontada.
          </Trans>
        )}
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
            Si tu familia ya tiene dólares y los cambia, le conviene el primero de la lista. No cuenta lo que cuesta
            hacer llegar los dólares; lo que envías con Chasqui llega en bolivianos.
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
            ? t`Fuente: Banco Central de Bolivia. La leímos ${age}.`
            : t`Fuente: Banco Central de Bolivia. La última lectura es de ${age}.`}
        </span>
      </Text>
    </>
  );
}

/** "100,00 EUR, que son $ 116,00": the table has dollars alone. */
function Worth({ view, dollars }: { view: BankBoardView; dollars: string }) {
  if (view.currency === 'USD') return <Money amount={view.amount} currency="USD" fw={600} />;
  return (
    <Trans>
      <Money amount={view.amount} currency={view.currency} fw={600} />, que son{' '}
      <Money amount={dollars} currency="USD" />
    </Trans>
  );
}

function Bank({ bank, rate, rank, received, difference }: BankBoardView['banks'][number]) {
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
          <Badge radius="sm" fw={600} ml={4}>
            <Trans>Paga más</Trans>
          </Badge>
        )}
      </span>
      {received && <Money amount={received} currency="BOB" fw={600} />}
      <Text component="span" fz="sm" className={classes.bankMore}>
        <ExchangeRate rate={rate} currency="USD" />
        {difference && (
          <Text span inherit>
            {differenceText(difference)}
          </Text>
        )}
      </Text>
    </li>
  );
}

/** How what a bank gives stands to what arrives with us. */
function differenceText(difference: string): string {
  const figure = formatBolivianos(difference.replace('-', ''));
  if (!/[1-9]/.test(difference)) return t`Lo mismo que con Chasqui`;
  return difference.startsWith('-') ? t`${figure} menos que con Chasqui` : t`${figure} más que con Chasqui`;
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
