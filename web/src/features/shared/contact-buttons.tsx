import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconBrandWhatsapp, IconMail } from '@tabler/icons-react';
import { contactQuery, mailTo, whatsappTo } from '../../data/contact.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';

/** Ways to write to a person of ours, as far as they are configured; about a transfer they begin with its reference. */
export function ContactButtons({ reference }: { reference?: string }) {
  const data = useOptionalQuery(contactQuery);
  const subject = reference && t`Mi envío ${reference}`;
  const text = reference && t`Hola, les escribo por mi envío ${reference}: `;
  if (!data?.whatsapp && !data?.email) return null;
  return (
    <Group gap="xs">
      {data.whatsapp && (
        <Button
          component="a"
          href={whatsappTo(data.whatsapp, text)}
          target="_blank"
          rel="noreferrer"
          variant={reference ? 'default' : 'filled'}
          leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
          data-testid="help-whatsapp"
        >
          <Trans>Escribir por WhatsApp</Trans>
        </Button>
      )}
      {data.email && (
        <Button
          component="a"
          href={mailTo(data.email, subject && text ? { subject, text } : undefined)}
          variant="default"
          leftSection={<IconMail size={18} aria-hidden />}
          styles={{ label: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
          data-testid="help-email"
        >
          {reference ? t`Escribir un correo` : data.email}
        </Button>
      )}
    </Group>
  );
}
