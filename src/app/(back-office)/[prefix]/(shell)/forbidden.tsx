import { NotAllowed } from '../../../../components/shell/dead-end';

export default NotAllowed;
