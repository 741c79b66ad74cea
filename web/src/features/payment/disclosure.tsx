import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Locale } from '#core/locale/locale';
import { accountEnding } from '#core/recipients/same';
import { type DisclosureFigures, disclosureIn } from '#core/transfers/disclosure';
import type { Offer } from '../../data/payments.ts';
import { language } from '../../lib/language.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { bankSays } from '../shared/bank-says.ts';
import classes from './payment.module.css';

interface Props {
  figures: DisclosureFigures;
  in: Locale;
  recipient?: Offer['recipient'];
}

/**
 * What the law wants a sender to read before paying, in one language, with what arrives biggest. It is the only place of a card form
 * where figures stand, so that what is stored is what was shown; the other language comes below the card, in small.
 */
export function Disclosure({ figures, in: shown, recipient = null }: Props) {
  const { title, lines } = disclosureIn(shown, figures);
  const main = shown === language();
  const arrives = lines.at(-1)?.[0];
  return (
    <section
      lang={shown}
      aria-label={title}
      className={classes.disclosure}
      data-main={main || undefined}
      data-testid={`pay-disclosure-${shown}`}
    >
      <Text fw={600} mb={4}>
        {title}
      </Text>
      <DataList values="end">
        {lines.map(([term, value]) => (
          <DataItem key={term} label={term}>
            {main && term === arrives ? (
              <span className={`cq-num ${classes.total}`} data-testid="pay-arrives">
                {value}
              </span>
            ) : (
              <span className="cq-num">{value}</span>
            )}
          </DataItem>
        ))}
        {recipient && <DataItem label={<Trans>Para</Trans>}>{whoIs(recipient)}</DataItem>}
      </DataList>
    </section>
  );
}

/** The name, and where it is known the account, so that the last look before paying tells namesakes apart. */
const whoIs = ({ name, bankName, bankAccount, nameCheck }: NonNullable<Offer['recipient']>) =>
  bankAccount ? (
    <Text span inherit ta="end">
      {name}
      <Text component="span" display="block" c="dimmed" fz="sm">
        {bankName} ···{accountEnding(bankAccount)}
        <br />
        {nameCheck && bankSays(nameCheck)}
      </Text>
    </Text>
  ) : (
    name
  );
