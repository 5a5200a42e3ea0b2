import Model

extension FailOn {
    func exitCode(for worst: Severity?) -> Model.ExitCode {
        guard let worst else { return .done }
        switch self {
        case .never: return .done
        case .warning: return worst >= .warning ? .findings : .done
        case .error: return worst >= .error ? .findings : .done
        }
    }
}
