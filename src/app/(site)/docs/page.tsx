import { redirect } from 'next/navigation';

/** `/docs`, under which all guides are, leads to their overview. */
export default function DocsPage() {
  redirect('/docs/api');
}
