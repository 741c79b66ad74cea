import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { readEnv } from '../env.ts';
import { Database } from './database.ts';
import { ensureAdmin, verifyPassword } from './people.ts';

/**
 * Command: `npm run admin:create -- correo@example.com "Nombre Apellido"` makes an admin and prints the password once. Rates
 * need two admins when it matters, so an installation needs a second one. An account that is an admin stays as it is.
 */
const [, , email = '', name = 'Administración'] = process.argv;
const address = z.email().safeParse(email.trim());
if (!address.success) {
  console.error('Escribe un correo: npm run admin:create -- correo@example.com "Nombre Apellido"');
  process.exit(1);
}
const password = randomBytes(15).toString('base64url');
const at = new Date();
const database = await Database.open(readEnv().databaseUrl, { poolMax: 1 });
try {
  const admin = await database.transaction((em) => ensureAdmin(em, { email: address.data, name, password, at }));
  const isNew = await verifyPassword(password, admin.passwordHash);
  console.log(isNew ? `${admin.email} administra ahora. Contraseña: ${password}` : `${admin.email} ya administraba.`);
} finally {
  await database.close();
}
