import { Anchor, Text } from '@mantine/core';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { paths } from '../../lib/paths.ts';
import classes from './receipt.module.css';
import type { ReceiptMessages } from './receipt-messages.ts';

/** What a sender may ask of us and of the authorities (12 CFR 1005.31, 1005.33, 1005.34). */
export function Rights({ receipt, messages }: { receipt: ReceiptView; messages: ReceiptMessages }) {
  const { whatsapp, email } = receipt.contact;
  return (
    <section className={classes.part}>
      <h2 className={classes.small}>{messages.rights}</h2>
      <div className={classes.rights}>
        {[messages.cancelling, messages.errors].map(([about, text]) => (
          <Text key={about}>
            <b>{about}</b> {text}
          </Text>
        ))}
        <Text data-testid="receipt-contact">
          {/* On paper no link can be pressed: the address stands there. */}
          <b>{messages.contact}</b> Chasqui, {window.location.host}
          {paths.help}
          {whatsapp && (
            <>
              , WhatsApp{' '}
              <Anchor href={`https://wa.me/${whatsapp}`} underline="always">
                +{whatsapp}
              </Anchor>
            </>
          )}
          {email && (
            <>
              , {messages.email}{' '}
              <Anchor href={`mailto:${email}`} underline="always">
                {email}
              </Anchor>
            </>
          )}
          .
        </Text>
        <Text>
          <b>{messages.authorities[0]}</b> {messages.authorities[1]}
        </Text>
      </div>
    </section>
  );
}
