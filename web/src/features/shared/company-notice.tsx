import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { useCompany } from '../../lib/document.ts';
import { language } from '../../lib/language.ts';

/** Who runs this installation and how money is protected, as configured; without a live card provider that it is a demonstration. */
export default function CompanyNotice({ small = false }: { small?: boolean }) {
  const company = useCompany();
  if (!company) return null;
  const { name, address, license, regulator, registerUrl, funds } = company;
  const size = small ? { fz: 'sm', c: 'dimmed' } : {};
  return (
    <Stack gap={4} data-testid="company">
      {company.isDemonstration && (
        <Text {...size}>
          <b>
            <Trans>Modo de demostración.</Trans>
          </b>{' '}
          <Trans>Aquí no se cobra ninguna tarjeta.</Trans>{' '}
          {!name && <Trans>Detrás de esta instalación no hay una empresa con licencia para enviar dinero.</Trans>}
        </Text>
      )}
      {name && (
        <Text {...size}>
          <b>{name}</b>
          {address && ` · ${address}`}
        </Text>
      )}
      {(license || regulator) && (
        <Text {...size}>
          {license && <Trans>Licencia: {license}.</Trans>} {regulator && <Trans>Supervisa: {regulator}.</Trans>}{' '}
          {registerUrl && (
            <Anchor href={registerUrl} target="_blank" rel="noreferrer" fz="inherit" underline="always">
              <Trans>Compruébalo en el registro público</Trans>
            </Anchor>
          )}
        </Text>
      )}
      {funds && (
        <Text {...size}>
          <Trans>Cómo protegemos tu dinero: {funds[language()]}</Trans>
        </Text>
      )}
    </Stack>
  );
}
