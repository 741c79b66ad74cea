/** The account of `/test-login`. Everybody may know it: it exists in the sandbox only, and can do nothing others cannot. */
export const testUser = {
  name: 'Usuario de Prueba',
  email: 'prueba@chasqui.test',
  password: 'prueba-de-chasqui',
} as const;
