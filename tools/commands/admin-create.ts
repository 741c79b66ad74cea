import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { announceRole } from '#domain/account-oversight/admin-role';
import { ensureAdmin } from '#domain/account-oversight/operator-accounts';
import { verifyPassword } from '#domain/accounts/passwords';
import { readAdminConfiguration } from '#platform/configuration/commands';
import { CommandRefused, runCommand, withDatabase } from './command.ts';

/**
 * Command: `npm run admin:create -- correo@example.com "Nombre Apellido"` creates an admin and prints the password
 * once. Large rate changes need two admins, so an installation needs a second one. An existing admin account is not
 * changed.
 */
await runCommand(async () => {
  const [, , email = '', name = 'Administración'] = process.argv;
  const address = z.email().safeParse(email.trim());
  if (!address.success) {
    throw new CommandRefused('Escribe un correo: npm run admin:create -- correo@example.com "Nombre Apellido"');
  }
  const password = randomBytes(15).toString('base64url');
  await withDatabase(readAdminConfiguration().databaseUrl, async (database) => {
    const input = { email: address.data, name, password, at: new Date() };
    const admin = await database.transaction((em) => ensureAdmin(em, input));
    const isNew = await verifyPassword(password, admin.passwordHash);
    const change = { user: admin, from: null, role: 'owner', requestedById: null, confirmedById: null } as const;
    if (isNew) await database.transaction((em) => announceRole(em, { ...change, at: input.at }));
    console.log(isNew ? `${admin.email} administra ahora. Contraseña: ${password}` : `${admin.email} ya administraba.`);
  });
});
