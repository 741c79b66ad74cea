import { Trans } from '@lingui/react/macro';
import { Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBrandWhatsapp, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { contactQuery } from '../../data/help.ts';

/** WhatsApp and e-mail, as far as they are configured; nothing at all when none is. */
export function Contact() {
  const { data, isPending } = useQuery(contactQuery);
  if (!isPending && !data?.whatsapp && !data?.email) return null;
  return (
    <Card component="section" aria-labelledby="help-contact" data-testid="help-contact">
      <Title order={2} id="help-contact" fz="lg">
        <Trans>Habla con una persona</Trans>
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        <Trans>En español, sin compromiso.</Trans>
      </Text>
      <Stack gap="xs">
        {isPending && <Skeleton height={42} />}
        {data?.whatsapp && (
          <Button
            component="a"
            href={`https://wa.me/${data.whatsapp}`}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconBrandWhatsapp size={20} aria-hidden />}
            data-testid="help-whatsapp"
          >
            <Trans>Escribir por WhatsApp</Trans>
          </Button>
        )}
        {data?.email && (
          <Button
            component="a"
            href={`mailto:${data.email}`}
            variant="default"
            leftSection={<IconMail size={20} aria-hidden />}
            styles={{ label: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
            data-testid="help-email"
          >
            {data.email}
          </Button>
        )}
      </Stack>
    </Card>
  );
}
