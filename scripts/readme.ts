// npm run readme: updates the README's configuration table and .env.example from the configuration schema.
import { readFile, writeFile } from 'node:fs/promises';
import { createEnvironmentExample, withConfigurationTable } from './configuration-table';

const readme = await readFile('README.md', 'utf8');
await writeFile('README.md', withConfigurationTable(readme));
await writeFile('.env.example', createEnvironmentExample());
