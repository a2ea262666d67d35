import { NotFoundPage } from '../../components/shell/error-pages';

export default NotFoundPage;
