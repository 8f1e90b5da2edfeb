package signatures

import (
	"bytes"
	"regexp"
	"strings"
)

// translated marks lines in which libc or a shell wrote another language. They are
// scanned in English translation.
const translated = "translated"

var translatedTexts = []row{
	{translated, "", InAnyText, translatedAnchors(), "", 0, false, "glibc and bash message catalogues: de, es, fr, it, ja, ko, pt, ru, zh_CN, zh_TW"},
}

// translations are messages of libc and shells, in English and in the languages that
// images and terminals use. Each is within one line; if one contains another, the
// longer comes first.
var translations = []struct {
	english string
	others  []string
}{
	{"No such file or directory", []string{
		"Datei oder Verzeichnis nicht gefunden", "Aucun fichier ou dossier de ce type", "Aucun fichier ou répertoire de ce type",
		"No existe el fichero o el directorio", "No existe el archivo o el directorio", "File o directory non esistente",
		"Arquivo ou diretório inexistente", "Ficheiro ou directoria inexistente", "Нет такого файла или каталога",
		"没有那个文件或目录", "沒有此一檔案或目錄", "そのようなファイルやディレクトリはありません", "그런 파일이나 디렉터리가 없습니다",
	}},
	{"Permission denied", []string{
		"Keine Berechtigung", "Permission non accordée", "Permiso denegado", "Permesso negato", "Permissão negada", "Отказано в доступе",
		"权限不够", "拒絕不符權限的操作", "許可がありません", "허가 거부",
	}},
	{"No space left on device", []string{
		"Auf dem Gerät ist kein Speicherplatz mehr verfügbar", "Aucun espace disponible sur le périphérique", "No queda espacio en el dispositivo",
		"Spazio esaurito sul device", "Não há espaço disponível no dispositivo", "На устройстве не осталось свободного места",
		"设备上没有空间", "裝置上已無多餘空間", "デバイスに空き領域がありません", "장치에 남은 공간이 없음",
	}},
	{"command not found", []string{
		"Kommando nicht gefunden.", "Kommando nicht gefunden", "Befehl nicht gefunden.", "Befehl nicht gefunden", "commande introuvable", "orden no encontrada",
		"no se encontró la orden", "comando non trovato", "comando não encontrado", "команда не найдена",
		"未找到命令", "未找到指令", "找不到命令", "コマンドが見つかりません", "명령어를 찾을 수 없음",
	}},
	{"Segmentation fault", []string{
		"Speicherzugriffsfehler", "Erreur de segmentation", "Violación de segmento", "Errore di segmentazione", "Falha de segmentação",
		"Ошибка сегментирования", "段错误", "程式記憶體區段錯誤", "セグメンテーション違反です", "세그멘테이션 오류",
	}},
	{"Killed", []string{
		"Terminado (killed)", "Getötet", "Processus arrêté", "Processo interrotto", "已杀死", "已砍掉", "強制終了", "죽었음", "Убито",
	}},
	{"Aborted", []string{"Abgebrochen", "已放弃", "已中止", "アボートしました", "Аварийный останов"}},
	{"Connection timed out", []string{
		"连接超时", "連線逾時", "接続がタイムアウトしました", "Die Wartezeit für die Verbindung ist abgelaufen", "Connexion terminée par expiration du délai d'attente", "Expiró el tiempo de conexión", "Connessione scaduta", "Tempo esgotado para conexão", "Время ожидания соединения истекло",
	}},
	{"Connection refused", []string{
		"拒绝连接", "连接被拒绝", "拒絕連線", "接続を拒否されました", "연결이 거부됨", "Verbindungsaufbau abgelehnt", "Connexion refusée", "Conexión rehusada", "Connessione rifiutata", "Conexão recusada", "В соединении отказано",
	}},
	{"Connection reset by peer", []string{
		"连接被对方重设", "連線被對方重設", "接続が相手からリセットされました", "Die Verbindung wurde vom Kommunikationspartner zurückgesetzt", "Connexion ré-initialisée par le correspondant", "Соединение разорвано другой стороной",
	}},
	{"Cannot allocate memory", []string{
		"无法分配内存", "無法配置記憶體", "メモリを確保できません", "메모리를 할당할 수 없습니다", "Nicht genügend Hauptspeicher verfügbar", "Impossible d'allouer de la mémoire", "No se pudo asignar memoria", "Impossibile allocare memoria", "Não foi possível alocar memória", "Невозможно выделить память",
	}},
	{"Input/output error", []string{
		"输入/输出错误", "輸入/輸出錯誤", "入力/出力エラーです", "입력/출력 오류", "Eingabe-/Ausgabefehler", "Erreur d'entrée/sortie", "Error de entrada/salida", "Errore di input/output", "Erro de entrada/saída", "Ошибка ввода/вывода",
	}},
	{"Address already in use", []string{
		"地址已在使用", "该地址已在使用中", "位址已在使用中", "アドレスは既に使用中です", "Die Adresse wird bereits verwendet", "Adresse déjà utilisée", "La dirección ya se está usando", "Indirizzo già in uso", "Адрес уже используется",
	}},
	{"Disk quota exceeded", []string{"超出磁盘限额", "超出磁碟配額", "ディスク使用量制限を超過しました", "Der zugewiesene Plattenplatz (Quota) ist überschritten", "Débordement du quota d'espace disque", "Превышена дисковая квота"}},
	{"Transport endpoint is not connected", []string{"传输端点尚未连接", "傳輸的兩端尚未連線", "通信端点が接続されていません", "전송 종료지점이 연결되어 있지 않습니다", "Конечная точка передачи не подсоединена", "Der Socket ist nicht verbunden", "Noeud final de transport n'est pas connecté"}},
	{"Stale file handle", []string{"过旧的文件控柄", "過舊的檔案控柄", "끊어진 파일 핸들", "Устаревший дескриптор файла", "Veraltete Dateizugriffsnummer (file handle)", "Panne d'accès au fichier"}},
	{"Too many open files", []string{"打开的文件过多", "開啟太多檔案", "ファイルを開きすぎです", "열린 파일이 너무 많음", "Слишком много открытых файлов", "Zu viele offene Dateien", "Trop de fichiers ouverts", "Demasiados ficheros abiertos"}},
	{"Read-only file system", []string{"只读文件系统", "唯讀的檔案系統", "読み込み専用ファイルシステムです", "읽기전용 파일 시스템", "Файловая система доступна только для чтения"}},
	{"Operation not permitted", []string{"不允许的操作", "此項操作並不被允許", "許可されていない操作です", "명령을 허용하지 않음", "Операция не позволена"}},
	{"No route to host", []string{"没有到主机的路由", "找不到通往該主機的路由路徑", "ホストへの経路がありません", "호스트로 갈 루트가 없음", "Нет маршрута до узла"}},
	{"Bus error", []string{"总线错误", "匯流排錯誤", "バスエラー", "버스 오류", "Ошибка шины"}},
	{"Illegal instruction", []string{"非法指令", "無效指令", "명령어가 잘못됨", "Недопустимая инструкция"}},
	{"Name or service not known", []string{"未知的名称或服务", "名稱或服務未知", "名前またはサービスが不明です", "이름 혹은 서비스를 알 수 없습니다", "Неизвестное имя или служба"}},
	{"Temporary failure in name resolution", []string{"域名解析暂时失败", "解析名稱時發生暫時性錯誤", "名前解決に一時的に失敗しました", "name resolution에서 일시적인 실패", "Временный сбой в разрешении имен"}},
	{"Device or resource busy", []string{"设备或资源忙", "裝置或系統資源忙碌中", "デバイスもしくはリソースがビジー状態です", "장치나 자원이 동작 중", "Устройство или ресурс занято"}},
	{"Exec format error", []string{"可执行文件格式错误", "可執行檔格式錯誤", "実行形式エラー", "Exec 형식 오류", "Ошибка формата выполняемого файла"}},
	{"(core dumped)", []string{"(Speicherabzug geschrieben)", "(`core' generado)", "（核心已转储）", "(核心已转储)", "(コアダンプ)", "(コアを吐きました)"}},
}

// translatedAnchors returns the foreign messages that are long enough for an anchor.
// Shorter ones need spaces around them, or a number and spaces before them.
func translatedAnchors() []string {
	var all []string
	for _, t := range translations {
		for _, other := range t.others {
			if len(other) >= minAnchor {
				all = append(all, other)
			}
		}
	}
	return all
}

var inEnglish = func() *strings.Replacer {
	var pairs []string
	for _, t := range translations {
		for _, other := range t.others {
			pairs = append(pairs, other, t.english)
		}
	}
	return strings.NewReplacer(append(pairs, "：", ": ")...)
}()

// lineNumber matches how bash names the line of a script.
var lineNumber = regexp.MustCompile(`: (?:行|Zeile|ligne|línea|linea|linha|строка|列|줄) ?(\d+) ?: ?`)

// english returns a line with its messages of libc and bash in English.
func english(text []byte) []byte {
	said := inEnglish.Replace(string(text))
	said = strings.ReplaceAll(strings.ReplaceAll(said, " : ", ": "), ":  ", ": ")
	return bytes.TrimRight(lineNumber.ReplaceAll([]byte(said), []byte(": line $1: ")), " \t\r")
}
